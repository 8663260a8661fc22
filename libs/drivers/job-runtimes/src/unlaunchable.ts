/** The job asks for something its runtime cannot or must not do; the text says what. Trying again does not help. */
export class Unlaunchable extends Error {
  override readonly name = 'Unlaunchable';
}
