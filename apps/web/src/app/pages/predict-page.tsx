import { PredictPage } from '../../features/prediction/components/predict-page.tsx';

export const Page = () => <PredictPage />;
