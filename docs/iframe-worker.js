// Browsers start no workers for pages that are opened as files: there, the search of the site runs in a frame instead.
// The theme would load such a stand-in from another server. It looks for the name IFrameWorker.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inner = this.frame.contentWindow;
      // What the worker says comes to the page as an event of this object.
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inner.importScripts = (...urls) => urls.reduce((before, each) => before.then(() => this.load(each)), Promise.resolve());
      this.ready = this.load(url);
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.frame.contentDocument.createElement("script");
        Object.assign(script, { src: url, onload: resolve, onerror: reject });
        this.frame.contentDocument.head.append(script);
      });
    }

    postMessage(data) {
      const event = () => new this.frame.contentWindow.MessageEvent("message", { data });
      this.ready.then(() => this.frame.contentWindow.dispatchEvent(event()));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
