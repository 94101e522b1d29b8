// The connection with the simulation: keeps itself up, remembers what is watched.
export class Live {
  constructor(on) {
    this.on = on; // {hello, news, status}
    this.watched = {do: 'watch', robot: null, places: false};
    this.pause = 300;
    this.connect();
  }

  connect() {
    this.on.status('connecting');
    const socket = new WebSocket(`ws://${location.host}/live`);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = 300;
      this.on.status('connected');
    };
    socket.onmessage = (event) => this.take(JSON.parse(event.data));
    socket.onclose = () => {
      this.on.status('lost');
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.5, 3000);
    };
  }

  take(data) {
    if (data.hello) {
      const fixed = JSON.stringify([data.hello.title, data.hello.robots, data.hello.shape.standing]);
      if (this.fixed !== undefined && this.fixed !== fixed) {
        location.reload(); // another world, or other robots
        return;
      }
      if (this.fixed === undefined) this.on.hello(data.hello);
      this.fixed = fixed;
      this.send(this.watched);
      if (this.on.again) this.on.again();
    } else {
      this.on.news(data);
    }
  }

  watch(robot, places) {
    this.watched = {do: 'watch', robot, places};
    this.send(this.watched);
  }

  send(request) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }

  ask(name, values = {}) {
    this.send({do: name, ...values});
  }
}
