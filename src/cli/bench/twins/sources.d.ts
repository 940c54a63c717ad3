/** The C sources become part of the bundle, so that the installed program needs no file beside it. */
declare module '*.c?raw' {
  const text: string;
  export default text;
}
declare module '*.h?raw' {
  const text: string;
  export default text;
}
