import regular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'
import strong from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'

/** The fonts of documents, which are those of the web client (Inter, SIL Open Font License); the build puts them into the program. */
export const documentFonts = { regular, strong }
