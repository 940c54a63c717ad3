/// <reference types="vite/client" />

declare module '*.css';

declare module 'monaco-editor/features/register.all';
declare module 'monaco-editor/languages/definitions/typescript/register';
