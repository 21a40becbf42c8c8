/** The crystal of a file, sent to be calculated from first principles. */
import { Button } from '@mantine/core';
import { run4uSubmit, type SubmitOutcome } from '@unitcell/contract';
import { readStructureText, toPymatgenDict } from '@unitcell/crystal';
import { useMutation } from '@tanstack/react-query';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { SentNotice } from '../../../components/run4u/sent-notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi } from '../../../lib/api-client.ts';
import { predictionTexts } from '../texts.ts';

interface SubmitButtonProps {
  readonly name: string;
  readonly text: string;
}

export function SubmitButton({ name, text }: SubmitButtonProps) {
  const { t } = useTexts(predictionTexts);
  const submit = useMutation({
    onError: useFailureToast(),
    mutationFn: (): Promise<SubmitOutcome> => {
      // It was predicted, so it can be read.
      const { structure } = readStructureText(text, name).structures[0]!;
      return callApi(run4uSubmit, { submit: true, structure: toPymatgenDict(structure) });
    },
  });
  return (
    <>
      <Button loading={submit.isPending} disabled={submit.isSuccess} onClick={() => submit.mutate()}>
        {t('submit')}
      </Button>
      {submit.data && <SentNotice answers={[submit.data]} />}
    </>
  );
}
