/** It defines the element `rapi-doc`. */
declare module 'rapidoc';
