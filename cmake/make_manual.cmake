# cmake -D HELP2MAN=... -D GZIP=... -D PROGRAM=... -D PAGE=NAME.1.gz -P make_manual.cmake
execute_process(COMMAND ${HELP2MAN} --no-info --section 1 --name "convolution stencils on signals and grids" ${PROGRAM}
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)

# help2man joins lines to paragraphs; the line breaks in the usage and in the example must be kept
string(FIND "${text}" "\n.SH OPTIONS" options)
string(FIND "${text}" "\nExample: " example)
if(options EQUAL -1 OR example LESS options)
  message(FATAL_ERROR "the help of ${PROGRAM} has no options or no example any more: mend make_manual.cmake")
endif()
string(SUBSTRING "${text}" 0 ${options} usage)
math(EXPR length "${example} - ${options}")
string(SUBSTRING "${text}" ${options} ${length} keys)
string(SUBSTRING "${text}" ${example} -1 example)
string(REPLACE "\n.IP\n" "\n.IP\n.nf\n" usage "${usage}")
string(REPLACE "\n.IP\n" "\n.IP\n.nf\n" example "${example}")

string(REGEX REPLACE "[.]gz$" "" plain ${PAGE})
file(WRITE ${plain} "${usage}\n.fi${keys}${example}")
execute_process(COMMAND ${GZIP} -9nf ${plain} COMMAND_ERROR_IS_FATAL ANY)
