/** A file that is no backup of this site, or is damaged, or a time that is none; the message is for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}
