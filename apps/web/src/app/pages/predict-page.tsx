import { PredictPage } from '../../features/prediction/components/predict-page.tsx';
import { PredictedDiagram } from '../sections/predicted-diagram.tsx';

export const Page = () => <PredictPage Diagram={PredictedDiagram} />;
