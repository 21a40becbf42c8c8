import { XrdPage } from '../../features/xrd/components/xrd-page.tsx';

export const Page = () => <XrdPage />;
