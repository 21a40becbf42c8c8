import { type Proposals, propose, type Template } from '@unitcell/design';

export interface ProposeRequest {
  readonly templates: readonly Template[];
  readonly systems: readonly (readonly string[])[];
  readonly limit: number;
}

/** Which elements fit into which crystals. Runs in worker threads: thousands of crystals times thousands of assignments. */
export const proposeCompounds = ({ templates, systems, limit }: ProposeRequest): Proposals =>
  propose(templates, systems, { limit });
