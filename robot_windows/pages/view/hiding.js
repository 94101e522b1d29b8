// Nodes that a person hides in this page, to see what is behind them. The robots' cameras and sensors still see them.

export class Hiding {
  constructor(view) {
    this.view = view;
    this.nodes = new Set(); // numbers
  }

  hide(nodes) {
    for (const one of nodes) this.nodes.add(one);
    this.apply();
  }

  showAll() {
    this.nodes.clear();
    this.apply();
  }

  // Call it for another description of the world as well, which has the same numbers.
  apply() {
    const {view} = this;
    for (const mesh of view.world?.meshes.filter(Boolean) ?? []) {
      const isHidden = [...this.nodes].some((one) => view.isInside(mesh.userData.node, one));
      if (isHidden === Boolean(mesh.userData.isHidden)) continue;
      if (view.world.instances.has(mesh)) view.world.release(mesh);
      mesh.userData.isHidden = isHidden;
      mesh.visible = !isHidden;
    }
    view.invalidate(true);
  }
}
