/** Where toasts appear (lib/notify.ts keeps earlier ones until this has loaded). */
import { Notifications } from '@mantine/notifications';

export const Toasts = () => <Notifications position="top-center" autoClose={3000} limit={3} />;
