import type { AuthorizationName } from '@unitcell/contract';
import { useMutation } from '@tanstack/react-query';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { goToProvider } from '../third-party.ts';

/** Leaves for a provider; `page` is the address of this site it comes back to. */
export const useGoToProvider = () =>
  useMutation({
    mutationFn: ({ provider, page }: { readonly provider: AuthorizationName; readonly page: string }) =>
      goToProvider(provider, page),
    onError: useFailureToast(),
  });
