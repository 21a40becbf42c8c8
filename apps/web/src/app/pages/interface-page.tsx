import { InterfacePage } from '../../features/interface-reaction/components/interface-page.tsx';

export const Page = () => <InterfacePage />;
