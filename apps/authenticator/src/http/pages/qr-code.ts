import { toString } from 'qrcode';

/** As markup of the page itself: no other request, nothing that a policy would have to allow. */
export function qrCode(text: string): Promise<string> {
  return toString(text, { type: 'svg', margin: 1, errorCorrectionLevel: 'M' });
}
