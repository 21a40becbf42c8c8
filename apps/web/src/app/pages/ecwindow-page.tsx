import { WindowSearch } from '../../features/ecwindow/components/window-search.tsx';

export const Page = () => <WindowSearch />;
