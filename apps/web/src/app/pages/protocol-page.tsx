import { Protocol } from '../../features/about/components/protocol.tsx';

export const Page = () => <Protocol />;
