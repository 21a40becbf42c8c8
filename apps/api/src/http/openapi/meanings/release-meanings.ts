/** Of the published releases of the catalogue. */
export const releaseMeanings: Readonly<Record<string, string>> = {
  'listReleases:access': 'key: the files are for holders of a key or a sign-in; public: for everybody.',
  releases: 'Releases of the whole catalogue, newest first.',
  'releases.release': 'Number of the last rebuild of derived data in it.',
  'releases.published_at': 'When it was published, ISO 8601.',
  'releases.materials': 'Materials in it.',
  'releases.licences': 'Materials under each licence; every row says its own.',
  'releases.cite': 'How to cite it.',
  'releases.files': 'Files of the release.',
  'files.name': 'Name of the file: `materials.parquet`.',
  'files.bytes': 'Size of the file. {bytes}',
  'files.sha256': 'SHA-256 of the bytes, hexadecimal.',
  'files.rows': 'Materials, energies or windows in it.',
  'files.media_type': 'Media type of the file.',
  'files.about': 'What a row is.',
  'files.address': 'Path of the file on this site.',
};
