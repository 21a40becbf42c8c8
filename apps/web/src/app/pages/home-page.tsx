import { Home } from '../../features/about/components/home.tsx';

export const Page = () => <Home />;
