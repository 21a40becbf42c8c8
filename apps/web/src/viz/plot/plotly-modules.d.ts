/** The package has types only for its whole bundle; these are for its parts. */
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
