import { Methods } from '../../features/about/components/methods.tsx';

export const Page = () => <Methods />;
