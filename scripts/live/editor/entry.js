// The editor of the code panel: what CodeMirror offers, behind the few functions that the panel needs.
import {python} from '@codemirror/lang-python';
import {lintGutter, setDiagnostics} from '@codemirror/lint';
import {EditorState} from '@codemirror/state';
import {keymap} from '@codemirror/view';
import {basicSetup, EditorView} from 'codemirror';

// on: {changed, saved}: called after each change, and for Ctrl+S.
export class Editor {
  constructor(parent, on) {
    const save = {key: 'Mod-s', preventDefault: true, run: () => (on.saved(), true)};
    const listen = EditorView.updateListener.of((update) => update.docChanged && on.changed());
    this.extensions = [keymap.of([save]), basicSetup, python(), lintGutter(), listen, EditorView.contentAttributes.of({'aria-label': 'Code'})];
    this.view = new EditorView({parent});
  }

  get text() {
    return this.view.state.doc.toString();
  }

  // A new document: undo does not lead to the one before.
  show(text) {
    this.view.setState(EditorState.create({doc: text, extensions: this.extensions}));
  }

  // Marks a line, counted from 1, with a message.
  mark(number, message) {
    const {doc} = this.view.state;
    const {from, to} = doc.line(Math.min(Math.max(number, 1), doc.lines));
    this.view.dispatch(setDiagnostics(this.view.state, [{from, to, severity: 'error', message}]), {effects: EditorView.scrollIntoView(from, {y: 'center'})});
  }

  clear() {
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }
}
