import { WindowDetailView } from '../../features/ecwindow/components/window-detail-view.tsx';

export const Page = () => <WindowDetailView />;
