/** The 3D chart types, which are as large as all flat ones together; loaded only by plots with `dimensions={3}`. */
import mesh3d from 'plotly.js/lib/mesh3d';
import scatter3d from 'plotly.js/lib/scatter3d';
import surface from 'plotly.js/lib/surface';
import { Plotly } from './plotly-2d.ts';

Plotly.register([mesh3d, scatter3d, surface]);

export { Plotly };
