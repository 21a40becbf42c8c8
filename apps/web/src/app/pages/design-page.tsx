import { DesignPage } from '../../features/design/components/design-page.tsx';

export const Page = () => <DesignPage />;
