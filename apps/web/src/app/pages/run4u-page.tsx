import { Run4U } from '../../features/run4u/components/run4u.tsx';

export const Page = () => <Run4U />;
