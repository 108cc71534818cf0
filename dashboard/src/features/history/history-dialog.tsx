import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Timeline } from './timeline.tsx';

interface Props {
  /** What the history is about. */
  title: string;
  path: string;
  currency: string;
  onClose: () => void;
}

/** The history of a record that has no page of its own. */
export const HistoryDialog = ({ title, path, currency, onClose }: Props) => (
  <Dialog title={title} onClose={onClose}>
    <Timeline path={path} currency={currency} />
  </Dialog>
);
