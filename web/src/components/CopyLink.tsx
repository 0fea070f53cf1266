import { useState } from 'preact/hooks';

/// An address to hand on. Where the clipboard is closed to us, the text can be copied by hand.
export function CopyLink({ label, path }: { label: string; path: string }) {
  const [copied, setCopied] = useState(false);
  const address = location.origin + path;
  const copy = async (event: Event) => {
    const field = (event.currentTarget as HTMLElement).parentElement?.querySelector('input');
    field?.select();
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
    } catch {
      // The text is selected: one key press copies it.
    }
  };
  return (
    <div class="copy">
      <label>
        <span>{label}</span>
        <input type="text" readOnly value={address} />
      </label>
      <button type="button" onClick={copy}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
