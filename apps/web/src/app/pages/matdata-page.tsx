import { PickedTray } from '../../features/collections/picked-tray.tsx';
import { MaterialsSearch } from '../../features/search/materials-search.tsx';

export const Page = () => <MaterialsSearch Tray={PickedTray} />;
