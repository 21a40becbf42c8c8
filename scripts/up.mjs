/** The address of `npm start` until 0.1: systemd units that were printed then start it here. */
import '../tools/up.mjs';
