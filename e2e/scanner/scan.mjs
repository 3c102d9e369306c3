// Runs n8n's package scanner as n8n's reviewers do, but on local folders: `node scan.mjs <source> <unpacked tarball>`.
import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';

const [source, tarball] = process.argv.slice(2);
const results = [
  await analyzePackage(source, SOURCE_FILE_PATTERNS),
  await analyzePackage(tarball, ['**/*.js', 'package.json']),
];
console.log(JSON.stringify(results));
