/**
 * The message passing of the network (AssemblyScript), see ../src/member.ts for the formulas. The generator in
 * workshop/generators/kernel prepends packages/numerics/kernel/layers.ts.
 */

/** Writes the row B to each of `rows` rows of O. */
export function spread(B: usize, rows: i32, channels: i32, O: usize): void {
  const bytes = <usize>(channels << 2);
  for (let r = 0; r < rows; r++) memory.copy(O + <usize>r * bytes, B, bytes);
}

/** Adds the `count` numbers of A to those of O, element by element. */
export function add(count: i32, A: usize, O: usize): void {
  const end = <usize>(count << 2);
  for (let c: usize = 0; c < end; c += 16) v128.store(O + c, f32x4.add(ld(O + c), ld(A + c)));
}

/**
 * Adds to the row of each node in M the messages of its edges, which are from START[node] to START[node + 1].
 *
 * For each node, X contains its state as a receiver, then as a sender. A row of TABLE contains the shifts, then
 * the gates for one distance. The values of an edge are interpolated at FRACTION between ROW and the next row.
 */
export function messages(
  nodes: i32,
  channels: i32,
  START: usize,
  SOURCE: usize,
  ROW: usize,
  FRACTION: usize,
  WEIGHT: usize,
  TABLE: usize,
  X: usize,
  M: usize,
): void {
  const bytes = <usize>(channels << 2);
  for (let node = 0; node < nodes; node++) {
    const own = X + <usize>node * 2 * bytes,
      sum = M + <usize>node * bytes;
    const end = load<i32>(START + ((<usize>(node + 1)) << 2));
    for (let edge = load<i32>(START + ((<usize>node) << 2)); edge < end; edge++) {
      const at = (<usize>edge) << 2;
      const other = X + <usize>load<i32>(SOURCE + at) * 2 * bytes + bytes;
      const low = TABLE + <usize>load<i32>(ROW + at) * 2 * bytes;
      const high = low + 2 * bytes;
      const fraction = v128.load32_splat(FRACTION + at),
        weight = v128.load32_splat(WEIGHT + at);
      for (let c: usize = 0; c < bytes; c += 16) {
        const shift = ld(low + c),
          gate = ld(low + bytes + c);
        const x = f32x4.add(
          f32x4.add(ld(own + c), ld(other + c)),
          muladd(shift, fraction, f32x4.sub(ld(high + c), shift)),
        );
        const open = muladd(gate, fraction, f32x4.sub(ld(high + bytes + c), gate));
        v128.store(sum + c, muladd(ld(sum + c), f32x4.mul(weight, open), f32x4.mul(x, sigmoid(x))));
      }
    }
  }
}
