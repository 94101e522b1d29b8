// The view of a recording.
import {createView} from '../view/view.js';

export async function makeView(stage, recording) {
  const view = await createView(stage, recording.scene, (name) => recording.file(name));
  return new Shown(view);
}

// Shows states one after the other, the newest of those that wait.
class Shown {
  constructor(view) {
    this.view = view;
  }

  async show(state) {
    this.next = state;
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.next) {
      const {moving, poses, messages} = this.next;
      this.next = null;
      await this.view.setMessages(messages);
      this.view.setPoses(moving, poses);
    }
    this.isBusy = false;
  }

  render() {
    this.view.render();
  }
}
