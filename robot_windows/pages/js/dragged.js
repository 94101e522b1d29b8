// The kind of what is dragged from the shelf into the view: the name of an entry.
export const SHELF = 'text/x-wbridge-shelf';
