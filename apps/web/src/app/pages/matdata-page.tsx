import { MaterialSearch } from '../../features/matdata/components/material-search.tsx';

export const Page = () => <MaterialSearch />;
