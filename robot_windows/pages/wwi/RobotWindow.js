// The connection of a window made for Webots R2022b and later to the controller of its robot.
export default class RobotWindow {
  constructor(name) {
    this.name = name ?? new URLSearchParams(location.search).get('name') ?? '';
    this._waiting = ['init robot window'];
    this._pause = 300;
    this._connect();
  }

  // Sends a text to the controller, now or as soon as the connection is open.
  send(message, robot) {
    const name = robot ?? this.name;
    if (this._socket.readyState === WebSocket.OPEN) this._write(name, message);
    else this._waiting.push(message);
  }

  // To be overridden: called with a text of the controller.
  receive(message, robot) {
    console.log(`Message of robot "${robot}": ${message}`);
  }

  setTitle(title) {
    document.title = title;
  }

  _write(name, message) {
    this._socket.send('robot:' + JSON.stringify({name, message: String(message)}));
  }

  _connect() {
    const socket = new WebSocket(`ws://${location.host}/`);
    this._socket = socket;
    socket.onopen = () => {
      this._pause = 300;
      for (const message of this._waiting.splice(0)) this._write(this.name, message);
    };
    socket.onmessage = (event) => this._take(event.data);
    socket.onclose = () => {
      if (!this._waiting.includes('init robot window')) this._waiting.unshift('init robot window');
      setTimeout(() => this._connect(), this._pause);
      this._pause = Math.min(this._pause * 1.5, 3000);
    };
  }

  _take(text) {
    if (!text.startsWith('robot:')) return;
    const {name, message} = JSON.parse(text.slice(6));
    if (name === this.name || this.name === '') this.receive(message, name);
  }
}
