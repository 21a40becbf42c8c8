import { PhasePage } from '../../features/phase-diagram/components/phase-page.tsx';

export const Page = () => <PhasePage />;
