/** Gases of one element to which a phase diagram can be open, each with its element. */
export const RESERVOIRS = { O2: 'O', H2: 'H', N2: 'N', F2: 'F', Cl2: 'Cl', Br2: 'Br', S2: 'S' } as const;
export type Reservoir = keyof typeof RESERVOIRS;

export const isReservoir = (gas: string): gas is Reservoir => Object.hasOwn(RESERVOIRS, gas);
