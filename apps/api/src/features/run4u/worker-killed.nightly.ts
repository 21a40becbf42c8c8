import { workerKilledIn } from './testing/worker-killed-cases.ts';

workerKilledIn(['relax', 'bands', 'dos']);
