import { Releases } from '../../features/releases/releases.tsx';

export const Page = () => <Releases />;
