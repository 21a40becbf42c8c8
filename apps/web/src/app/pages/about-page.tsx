import { AboutTabs } from '../../features/about/components/about-tabs.tsx';

export const Page = () => <AboutTabs />;
