import { TightBindingView } from '../../features/tight-binding/components/tight-binding-view.tsx';

export const Page = () => <TightBindingView />;
