import { CollectionPage } from '../../features/matdata/collections/collection-page.tsx';

export const Page = () => <CollectionPage />;
