import { CollectionsPage } from '../../features/matdata/collections/collections-page.tsx';

export const Page = () => <CollectionsPage />;
