/** plotly.js has types only for the whole bundle. These types are for its parts. */
declare module 'plotly.js/lib/core' {
  import * as Plotly from 'plotly.js';

  // oxlint-disable-next-line import/no-default-export
  export default Plotly;
}

declare module 'plotly.js/lib/*' {
  import type { PlotlyModule } from 'plotly.js';

  const trace: PlotlyModule;
  // oxlint-disable-next-line import/no-default-export
  export default trace;
}

/** The part of the Khronos validator that the tests call; the package has no types. */
declare module 'gltf-validator' {
  interface Issue {
    readonly code: string;
    readonly message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    readonly severity: 0 | 1 | 2 | 3;
    readonly pointer?: string;
  }
  export function validateString(
    json: string,
  ): Promise<{ readonly issues: { readonly messages: readonly Issue[] } }>;
}
