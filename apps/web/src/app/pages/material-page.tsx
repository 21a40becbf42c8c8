import { MaterialDetailView } from '../../features/matdata/components/material-detail-view.tsx';
import { materialSections } from '../material-sections.ts';

export const Page = () => <MaterialDetailView sections={materialSections} />;
