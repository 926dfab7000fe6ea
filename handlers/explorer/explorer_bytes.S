/*
 * The explorer's files as they stand beside this one, read at build time: by the assembler, which
 * every target's toolchain has. Each is a symbol and its size; the Makefile knows that they are
 * read.
 */
    .macro embed symbol, file
    .globl \symbol
    .globl \symbol\()_size
    .balign 8
\symbol\()_size:
    .8byte \symbol\()_end - \symbol
\symbol:
    .incbin "handlers/explorer/\file"
\symbol\()_end:
    .endm

    .section .rodata
    embed explorer_html, "explorer.html"
    embed explorer_css, "explorer.css"
    embed explorer_js, "explorer.js"
    embed explorer_ask_js, "ask.js"
    embed explorer_catalogue_js, "catalogue.js"
    embed explorer_config_js, "config.js"
    embed explorer_dom_js, "dom.js"
    embed explorer_form_js, "form.js"
    embed explorer_problem_js, "problem.js"
    embed explorer_request_js, "request.js"
    embed explorer_result_js, "result.js"
    embed explorer_rows_js, "rows.js"
    embed explorer_start_js, "start.js"
    embed explorer_table_js, "table.js"
    embed explorer_view_js, "view.js"

    .section .note.GNU-stack, "", %progbits
