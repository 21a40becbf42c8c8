/** The error of a command that could not complete. The message is for the operator. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
