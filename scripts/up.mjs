/** Entry point of `npm start` until release 0.1. Systemd units printed by those releases still run this file. */
import '../tools/up.mjs';
