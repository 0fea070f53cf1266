// A button that asks once more before it does what cannot be undone.
import { useRef } from 'preact/hooks';

interface Props {
  label: string;
  question: string;
  disabled?: boolean;
  sure?: boolean; // nothing would be lost: no question
  act: () => void;
}

export function Confirmed({ label, question, disabled = false, sure = false, act }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ask = () => {
    if (disabled) return;
    if (sure) act();
    else dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" aria-disabled={disabled} onClick={ask}>
        {label}
      </button>
      <dialog ref={dialog} class="question" aria-label={question}>
        <form method="dialog">
          <p>{question}</p>
          <div class="buttons">
            <button type="submit" class="primary" onClick={act}>
              {label}
            </button>
            <button type="submit">No</button>
          </div>
        </form>
      </dialog>
    </>
  );
}
