// The former interface to the controller, `webots.window()` (up to R2022a), on the current connection.
(() => {
  const loaded = import('/wwi/RobotWindow.js');

  class Window {
    constructor(name) {
      this.name = name;
      this._waiting = [];
      this._inits = [];
      const robot = new URLSearchParams(location.search).get('name') ?? '';
      loaded.then(({default: RobotWindow}) => {
        this._real = new RobotWindow(robot);
        this._real.receive = (message, from) => this.receive(message, from);
        for (const one of this._waiting.splice(0)) this._real.send(...one);
        for (const one of this._inits.splice(0)) one();
      });
    }

    init(then) {
      if (this._real) then();
      else this._inits.push(then);
    }

    send(message, robot) {
      if (this._real) this._real.send(message, robot);
      else this._waiting.push([message, robot]);
    }

    receive(message, robot) {
      console.log(`Message of robot "${robot}": ${message}`);
    }

    setTitle(title) {
      document.title = title;
    }
  }

  let only;
  window.webots = {
    window(name) {
      if (only && name !== undefined && only.name !== undefined && name !== only.name) {
        console.error(`webots.window: this page is the window "${only.name}", not "${name}"`);
        return null;
      }
      only = only ?? new Window(name);
      return only;
    },
    alert(title, message, then) {
      alert(`${title}\n${message}`);
      if (then) then();
    },
  };
})();
