import { ApiReference } from '../../features/reference/components/api-reference.tsx';

export const Page = () => <ApiReference />;
