/** The flat chart types in use; loaded when a plot appears. Scatter is part of the core. */
import Plotly from 'plotly.js/lib/core';
import bar from 'plotly.js/lib/bar';
import heatmap from 'plotly.js/lib/heatmap';

Plotly.register([bar, heatmap]);

export { Plotly };
