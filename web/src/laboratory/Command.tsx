// A command to copy; its lines do not break inside an option.
export function Command({ text }: { text: string }) {
  return (
    <code>
      {text.split(' ').map((word, i) => (
        <>
          {i > 0 && ' '}
          <span class={word.startsWith('--') ? 'option' : ''}>{word}</span>
        </>
      ))}
    </code>
  );
}
