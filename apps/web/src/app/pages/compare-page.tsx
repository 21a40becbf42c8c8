import { ComparePage } from '../../features/matdata/compare/compare-page.tsx';

export const Page = () => <ComparePage />;
